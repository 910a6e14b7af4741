token = login("phone")
for contact in pages(
    apis.phone.search_contacts, relationship="coworker", access_token=token
):
    apis.phone.send_text_message(
        phone_number=contact["phone_number"], message=public["message"], access_token=token
    )
