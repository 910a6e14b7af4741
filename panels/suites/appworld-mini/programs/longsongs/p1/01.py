import re

task = apis.supervisor.show_active_task()
title = re.search(r"called '(.+?)'", task["instruction"]).group(1)

passwords = {a["account_name"]: a["password"] for a in apis.supervisor.show_account_passwords()}
profile = apis.supervisor.show_profile()
token = apis.spotify.login(username=profile["email"], password=passwords["spotify"])["access_token"]


def library():
    """Collect the song library page by page."""
    songs = []
    index = 0
    while True:
        page = apis.spotify.show_song_library(access_token=token, page_index=index, page_limit=20)
        songs.extend(page)
        if len(page) < 20:
            return songs
        index += 1


long_songs = [song for song in library() if song["duration"] > 300]
playlist = apis.spotify.create_playlist(title=title, access_token=token)
for song in long_songs:
    apis.spotify.add_song_to_playlist(
        playlist_id=playlist["playlist_id"], song_id=song["song_id"], access_token=token
    )
apis.supervisor.complete_task()
