"""The documented APIs as tools: what a schema takes is what the documentation says."""

from pathlib import Path

from executors.appworld.apis import tools_in


def test_every_documented_api_is_a_tool_and_only_a_get_is_read_only(root: Path) -> None:
    tools = tools_in(root)
    assert len(tools) == 457
    assert list(tools) == sorted(tools)
    assert all(name.count(".") == 1 and tool.name == name for name, tool in tools.items())
    assert sum(tool.read_only for tool in tools.values()) == 165
    assert tools["spotify.show_song_library"].read_only
    assert not tools["spotify.login"].read_only


def test_each_default_is_within_its_own_schema(root: Path) -> None:
    for tool in tools_in(root).values():
        parameters = tool.input_schema["properties"]
        optional = {name for name in parameters if name not in tool.input_schema["required"]}
        for name in optional:
            assert tool.problem({name: parameters[name]["default"]}, whole=False) is None, name
            assert tool.problem({name: None}, whole=False) is None, name


def test_a_schema_refuses_what_the_documentation_excludes(root: Path) -> None:
    tools = tools_in(root)
    library = tools["spotify.show_song_library"]
    token = {"access_token": "x"}
    assert library.problem({**token, "page_index": 0, "page_limit": 20}) is None
    assert "page_limit" in str(library.problem({**token, "page_limit": 21}))
    assert "page_index" in str(library.problem({**token, "page_index": -1}))
    assert "page_index" in str(library.problem({**token, "page_index": "one"}))
    assert "access_token" in str(library.problem({"page_index": 0}))
    assert "unknown argument 'page'" in str(library.problem({**token, "page": 1}))
    complete = tools["supervisor.complete_task"]
    assert complete.problem({"answer": 3, "status": "success"}) is None
    assert complete.problem({"answer": "three"}) is None
    assert "status" in str(complete.problem({"status": "perhaps"}))
    send = tools["gmail.send_email"]
    mail = {**token, "subject": "-", "body": "-", "email_addresses": ["a@b.c"]}
    assert send.problem(mail) is None
    assert "email_addresses" in str(send.problem({**mail, "email_addresses": "a@b.c"}))
