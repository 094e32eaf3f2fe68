"""What each process is made of: `all`, `http`, `slack`, `teams`, `worker`."""

import asyncio
import sys
from collections.abc import Callable
from contextlib import AsyncExitStack
from functools import partial

from bot.bootstrap.build import build_id
from bot.bootstrap.desk_answers import build_answers, with_tasks
from bot.bootstrap.gaps import noting_gaps
from bot.bootstrap.index_parts import private_folder
from bot.bootstrap.lead import lead_linked, lead_told
from bot.bootstrap.old_heap import old_heap
from bot.bootstrap.parts import Flow, open_beside, open_flow, open_state
from bot.bootstrap.platform_doors import add_platform_doors
from bot.bootstrap.platforms import build_notes, build_preparers, is_any_platform, open_posters
from bot.bootstrap.private_doors import add_health_listener, add_private_listener
from bot.bootstrap.process import Process, Role, check_tokens
from bot.bootstrap.services import Service, run_services
from bot.bootstrap.slack_replies import signalled
from bot.bootstrap.trust import audited, build_audit, forget_requests, incidents_of
from bot.desk.requests import DeskResponder
from bot.observed import ObservedResponder
from bot.worker import Worker
from config.settings import Settings, set_names

__all__ = ["Role", "run_process"]


async def run_process(
    role: Role, settings: Settings, stop: asyncio.Event, announce: Callable[[str], None], on_page: Callable[[str], None]
) -> None:
    """Run one process until `stop` is set.

    Args:
        role: what it does.
        settings: everything it is built from.
        stop: set by the signals that end it.
        announce: shows one line to the person who started it.
        on_page: is told the playground's address.

    Raises:
        ConfigError: a token that the role needs is missing.
        RetrievalError: the index cannot be served.
        PortTaken: a port that was asked for is taken.
        StateUnavailable: the embedded Redis does not start.
        ServiceFailed: a part ended by itself.
    """
    check_tokens(role, settings)
    async with AsyncExitStack() as stack:
        process = await _opened(role, settings, announce, stack)
        if process.does(Role.WORKER, Role.HTTP):
            await _add_flow(process, on_page, stack)
        if not process.does(Role.HTTP):
            add_health_listener(process)
        await add_platform_doors(process, stack)
        process.services.append(Service("forgetting", lambda: process.gone.serve(process.on_forgotten)))
        with old_heap():
            await run_services(process.services, stop)


async def _opened(role: Role, settings: Settings, announce: Callable[[str], None], stack: AsyncExitStack) -> Process:
    from bot.adapters.web.metrics import AnswerMetrics

    data_dir, posts_ttl_s = private_folder(settings.retrieval), settings.retention.posts_ttl_s
    state = await stack.enter_async_context(open_state(settings.server, data_dir, posts_ttl_s=posts_ttl_s))
    work = await stack.enter_async_context(open_beside(state, settings.server, posts_ttl_s=posts_ttl_s))
    audit, metrics = build_audit(settings, sys.stdout), AnswerMetrics()
    audit.write("started", role=str(role), build=build_id(), settings=list(set_names(settings)))
    state.queue.observe_intake(metrics.observe_delivery)
    gone = forget_requests(state, audit, settings.retrieval.data_dir)
    process = Process(settings, role, state, work, announce, audit, gone, metrics)
    process.pings["redis"] = partial(state.link.check_writes, state.keys.writable)
    return process


async def _add_flow(process: Process, on_page: Callable[[str], None], stack: AsyncExitStack) -> None:
    """Add what answers: the worker of the queue, and the doors that answer at once."""
    metrics = process.metrics
    opening = open_flow(process.settings, state=process.work, on_model_error=metrics.observe_model_error)
    flow = await stack.enter_async_context(opening)
    process.pings["index"] = flow.index.source.ping
    process.services.append(Service("index watch", flow.index.watch))
    if flow.model is not None:
        process.on_forgotten = flow.model.forget
    if process.does(Role.WORKER):
        await _add_worker(process, flow, stack)
    if process.does(Role.HTTP):
        add_private_listener(process, flow, on_page)


async def _add_worker(process: Process, flow: Flow, stack: AsyncExitStack) -> None:
    settings, state = process.settings, process.work
    if not is_any_platform(settings):
        return  # nothing comes into the queue
    posters = await stack.enter_async_context(open_posters(settings, state))
    answers = build_answers(settings, state)
    desk = DeskResponder(flow.pipeline, flow.pipeline.ports, incidents_of(state), answers=answers)
    noted = noting_gaps(desk, settings.retention, state)
    observed = ObservedResponder(audited(noted, process.audit, state), process.metrics.observe_reply)
    linked = lead_linked(with_tasks(observed, settings, state, flow), settings, state, process.audit)
    told = lead_told(linked, settings, state, process.audit)
    told, posters = signalled(told, posters, settings, state)
    prepare = build_preparers(settings, flow.redactor)
    worker = Worker(state.queue, told, store=state.threads, posters=posters, prepare=prepare, name_of=state.people.of)
    worker.observe_posts(process.metrics.observe_post)
    worker.pace_posts(state.queue.pace)
    notes = build_notes(settings)
    process.services.append(Service("worker", lambda: worker.run(notes=notes)))
