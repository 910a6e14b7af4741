doc = apis.api_docs.show_api_doc(app_name="spotify", api_name="show_song_library")
print(doc)
