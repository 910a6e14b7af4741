email = apis.supervisor.show_profile()["email"]
accounts = apis.supervisor.show_account_passwords()
password = [a["password"] for a in accounts if a["account_name"] == "todoist"][0]
access_token = apis.todoist.login(username=email, password=password)["access_token"]
name = apis.supervisor.show_active_task()["instruction"].split("'")[1]
project = apis.todoist.show_projects(access_token=access_token, query=name)[0]
tasks = apis.todoist.show_tasks(project_id=project["project_id"], access_token=access_token)
print(project["name"], project["num_tasks"], "tasks")
