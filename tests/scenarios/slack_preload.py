"""Imported by the process that `test_slack_two_processes.py` forks its bots from: they begin with everything loaded."""

import asyncio

from bot.adapters.model.chat import AnthropicChat, ChatOptions
from retrieval.redaction import Redactor
from tests.scenarios import slack_process
from tests.warm import warm

__all__ = ["slack_process"]

warm()
asyncio.run(AnthropicChat(ChatOptions(api_key="none", base_url="http://127.0.0.1:9"), redactor=Redactor()).warm())
