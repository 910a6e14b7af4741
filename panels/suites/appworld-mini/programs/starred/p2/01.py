print(apis.api_docs.show_api_doc(app_name="gmail", api_name="show_inbox_threads"))
print(apis.api_docs.show_api_doc(app_name="gmail", api_name="mark_thread_starred"))
