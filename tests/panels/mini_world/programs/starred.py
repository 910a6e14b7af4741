token = login("gmail")
for thread in pages(apis.gmail.show_inbox_threads, access_token=token):
    if public["sender"] in str(thread):
        apis.gmail.mark_thread_starred(
            email_thread_id=thread["email_thread_id"], access_token=token
        )
