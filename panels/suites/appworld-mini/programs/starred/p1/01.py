instruction = apis.supervisor.show_active_task()["instruction"]
sender = instruction.split("sent by ")[1].rstrip(".")

me = apis.supervisor.show_profile()
passwords = {a["account_name"]: a["password"] for a in apis.supervisor.show_account_passwords()}
token = apis.gmail.login(username=me["email"], password=passwords["gmail"])["access_token"]

threads = apis.gmail.show_inbox_threads(access_token=token, from_email=sender)
for thread in threads:
    if not thread["starred"]:
        apis.gmail.mark_thread_starred(email_thread_id=thread["email_thread_id"], access_token=token)
print(len(threads), "threads starred")
apis.supervisor.complete_task()
