token = login("todoist")
projects = pages(apis.todoist.show_projects, access_token=token)
project = next(found for found in projects if found["name"] == public["project"])
listed = apis.todoist.show_tasks(project_id=project["project_id"], access_token=token)
for task in listed["no_section_tasks"]:
    apis.todoist.update_task(task_id=task["task_id"], is_completed=True, access_token=token)
