token = login("spotify")
songs = pages(apis.spotify.show_song_library, access_token=token)
made = apis.spotify.create_playlist(title=public["title"], access_token=token)
for song in songs:
    if song["duration"] > 300:
        apis.spotify.add_song_to_playlist(
            playlist_id=made["playlist_id"], song_id=song["song_id"], access_token=token
        )
