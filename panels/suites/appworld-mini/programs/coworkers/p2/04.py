apis.supervisor.complete_task()
