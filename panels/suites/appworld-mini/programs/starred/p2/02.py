profile = apis.supervisor.show_profile()
accounts = apis.supervisor.show_account_passwords()
password = [a["password"] for a in accounts if a["account_name"] == "gmail"][0]
access_token = apis.gmail.login(username=profile["email"], password=password)["access_token"]
inbox = apis.gmail.show_inbox_threads(access_token=access_token, page_limit=20)
for thread in inbox:
    print(thread["email_thread_id"], thread["subject"], thread["participants"])
