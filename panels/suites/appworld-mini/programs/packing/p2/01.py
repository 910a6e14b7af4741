for name in ("search_notes", "show_note", "update_note"):
    print(apis.api_docs.show_api_doc(app_name="simple_note", api_name=name))
