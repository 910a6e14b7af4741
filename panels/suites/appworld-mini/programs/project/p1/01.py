instruction = apis.supervisor.show_active_task()["instruction"]
wanted = instruction.split("'")[1]

me = apis.supervisor.show_profile()
passwords = {a["account_name"]: a["password"] for a in apis.supervisor.show_account_passwords()}
token = apis.todoist.login(username=me["email"], password=passwords["todoist"])["access_token"]

projects = apis.todoist.show_projects(access_token=token)
project = next(p for p in projects if p["name"] == wanted)
listed = apis.todoist.show_tasks(project_id=project["project_id"], access_token=token)
tasks = list(listed["no_section_tasks"])
for section in listed["sections"]:
    tasks += section["tasks"]
for task in tasks:
    if not task["is_completed"]:
        apis.todoist.update_task(task_id=task["task_id"], is_completed=True, access_token=token)
apis.supervisor.complete_task()
