import re

instruction = apis.supervisor.show_active_task()["instruction"]
sender = re.search(r"[\w.]+@[\w.]+\w", instruction).group(0)
for thread in inbox:
    emails = apis.gmail.show_thread(
        email_thread_id=thread["email_thread_id"], access_token=access_token
    )["emails"]
    if any(email["sender"]["email"] == sender for email in emails):
        apis.gmail.mark_thread_starred(
            email_thread_id=thread["email_thread_id"], access_token=access_token
        )
