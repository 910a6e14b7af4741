instruction = apis.supervisor.show_active_task()["instruction"]
name = instruction.split("'")[1]
created = apis.spotify.create_playlist(title=name, access_token=access_token, is_public=False)
for song_id in sorted(songs):
    details = apis.spotify.show_song(song_id=song_id)
    if details["duration"] > 300:
        apis.spotify.add_song_to_playlist(
            playlist_id=created["playlist_id"], song_id=song_id, access_token=access_token
        )
