instruction = apis.supervisor.show_active_task()["instruction"]
wanted = [r for r in received if r["sender"]["email"] in instruction]
for request in wanted:
    print(request["amount"], request["description"])
    apis.venmo.approve_payment_request(
        request_id=request["payment_request_id"], access_token=access_token
    )
