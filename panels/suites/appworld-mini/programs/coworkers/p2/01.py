print(apis.api_docs.show_api_doc(app_name="phone", api_name="search_contacts"))
print(apis.api_docs.show_api_doc(app_name="phone", api_name="send_text_message"))
