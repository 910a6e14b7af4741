for task in tasks["no_section_tasks"]:
    apis.todoist.update_task(task_id=task["task_id"], completed=True, access_token=access_token)
apis.supervisor.complete_task()
