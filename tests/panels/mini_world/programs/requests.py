token = login("venmo")
for request in pages(
    apis.venmo.show_received_payment_requests, status="pending", access_token=token
):
    if request["sender"]["email"] == public["sender"]:
        apis.venmo.approve_payment_request(
            payment_request_id=request["payment_request_id"], access_token=token
        )
