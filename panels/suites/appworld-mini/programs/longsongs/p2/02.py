profile = apis.supervisor.show_profile()
accounts = apis.supervisor.show_account_passwords()
password = [a["password"] for a in accounts if a["account_name"] == "spotify"][0]
login = apis.spotify.login(username=profile["email"], password=password)
access_token = login["access_token"]
first = apis.spotify.show_song_library(access_token=access_token, page_index=0, page_limit=5)
second = apis.spotify.show_song_library(access_token=access_token, page_index=1, page_limit=5)
third = apis.spotify.show_song_library(access_token=access_token, page_index=2, page_limit=5)
songs = {song["song_id"]: song for song in first + second + third}
print(len(songs), "songs in the library")
