print(apis.api_docs.show_api_doc(app_name="todoist", api_name="show_projects"))
print(apis.api_docs.show_api_doc(app_name="todoist", api_name="show_tasks"))
