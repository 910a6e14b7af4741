print(apis.api_docs.show_api_doc(app_name="venmo", api_name="show_received_payment_requests"))
