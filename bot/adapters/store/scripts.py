"""The Lua that Redis runs: each script's first line names its keys, then its arguments, in their order.

They stand beside each other since what one writes another reads.
"""

# A taken claim makes the event a duplicate; its other names are claimed all the same, so that a third delivery under
# the twin's name is known too. XADD comes first: should Redis refuse it (full), no claim is left behind.
# Where more waits than `soft`, the question is stored as one that gets a word at once, beyond `hard` not at all.
ENQUEUE = """-- work, claim… | json, claim ttl, work ttl, message id, json with the word, soft, hard
for i = 2, #KEYS do
  if redis.call('EXISTS', KEYS[i]) == 1 then
    for j = 2, #KEYS do redis.call('SET', KEYS[j], ARGV[4], 'NX', 'EX', ARGV[2]) end
    return false
  end
end
local waiting = redis.call('XLEN', KEYS[1])
if waiting >= tonumber(ARGV[7]) then return 'full' end
local body = waiting >= tonumber(ARGV[6]) and ARGV[5] or ARGV[1]
local id = redis.call('XADD', KEYS[1], '*', 'message', body)
redis.call('EXPIRE', KEYS[1], ARGV[3])
for i = 2, #KEYS do redis.call('SET', KEYS[i], ARGV[4], 'EX', ARGV[2]) end
return id
"""

# Entries are `message id LF json`: the prefix is compared without decoding. At most twenty are looked at.
REMEMBER = """-- turns, cost, gone… | entry, prefix, kept, ttl, cost or '', asked at
for i = 3, #KEYS do
  local at = redis.call('GET', KEYS[i])
  if at and tonumber(at) >= tonumber(ARGV[6]) then return 0 end
end
for _, old in ipairs(redis.call('LRANGE', KEYS[1], 0, -1)) do
  if string.sub(old, 1, #ARGV[2]) == ARGV[2] then return 0 end
end
redis.call('RPUSH', KEYS[1], ARGV[1])
redis.call('LTRIM', KEYS[1], -tonumber(ARGV[3]), -1)
if ARGV[5] == '' then redis.call('HSET', KEYS[2], 'unknown', 1)
else redis.call('HINCRBYFLOAT', KEYS[2], 'usd', ARGV[5]) end
redis.call('EXPIRE', KEYS[1], ARGV[4])
redis.call('EXPIRE', KEYS[2], ARGV[4])
return 1
"""

# What was forgotten since the question was asked is not kept.
KEEP = """-- answer or gap, gone… | json, ttl, asked at
for i = 2, #KEYS do
  local at = redis.call('GET', KEYS[i])
  if at and tonumber(at) >= tonumber(ARGV[3]) then return 0 end
end
redis.call('SET', KEYS[1], ARGV[1], 'EX', ARGV[2])
return 1
"""

# What was forgotten meanwhile leaves no turn; the receipt is kept, so that the post can be found and deleted.
MARK_POSTED = """-- posted, receipt, gone… | post id, turn or '', ttl, thread, asked at, receipt or '', receipt ttl
local is_gone = false
for i = 3, #KEYS do
  local at = redis.call('GET', KEYS[i])
  if at and tonumber(at) >= tonumber(ARGV[5]) then is_gone = true end
end
redis.call('HSETNX', KEYS[1], 'post_id', ARGV[1])
redis.call('HSET', KEYS[1], 'thread', ARGV[4])
if ARGV[2] ~= '' and not is_gone then redis.call('HSETNX', KEYS[1], 'turn', ARGV[2]) end
redis.call('EXPIRE', KEYS[1], ARGV[3])
if ARGV[6] ~= '' then redis.call('SET', KEYS[2], ARGV[6], 'EX', ARGV[7], 'NX') end
return 1
"""

# Guards the post: nil lease means that nobody else took over.
POSTED = """-- posted, lease | token or ''
local holder = redis.call('GET', KEYS[2])
if ARGV[1] ~= '' and holder and holder ~= ARGV[1] then return {0, false} end
return {1, redis.call('HGET', KEYS[1], 'post_id')}
"""

# A worker that was too slow for its lease may be between its post and its mark: its note says so.
BEGIN_POST = """-- posted, lease | token or '', ttl, 1 to wait for another's mark
local holder = redis.call('GET', KEYS[2])
if ARGV[1] ~= '' and holder and holder ~= ARGV[1] then return {0, false} end
local post_id, by = unpack(redis.call('HMGET', KEYS[1], 'post_id', 'by'))
if post_id then return {1, post_id} end
if by and by ~= ARGV[1] and ARGV[3] == '1' then return {2, false} end
redis.call('HSET', KEYS[1], 'by', ARGV[1])
redis.call('EXPIRE', KEYS[1], ARGV[2])
return {1, false}
"""

MAY_STAND = """-- posted | token, ttl
redis.call('HSETNX', KEYS[1], 'by', ARGV[1])
return redis.call('EXPIRE', KEYS[1], ARGV[2])
"""

# Counts live workers by the server's clock, so that clocks that disagree do no harm. After it was set back, whoever lives
# comes again with the next beat, and the dead do not count until then.
CHECK_IN = """-- workers | worker, ttl ms, key ttl s
local now = redis.call('TIME')
local ms = now[1] * 1000 + math.floor(now[2] / 1000)
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', ms - ARGV[2])
redis.call('ZREMRANGEBYSCORE', KEYS[1], ms + 1, '+inf')
redis.call('ZADD', KEYS[1], ms, ARGV[1])
redis.call('EXPIRE', KEYS[1], ARGV[3])
return redis.call('ZCARD', KEYS[1])
"""

# The token is `worker#fence`. An expired lease goes back to its holder with the same fence as long as nobody held it
# since: what that holder has in work is still its own.
LEASE = """-- lease, fence | worker, held fence or '', ttl ms, fence ttl s
local holder = redis.call('GET', KEYS[1])
local mine = ARGV[1] .. '#' .. ARGV[2]
if holder and holder ~= mine then return false end
if ARGV[2] ~= '' and redis.call('GET', KEYS[2]) == ARGV[2] then
  redis.call('SET', KEYS[1], mine, 'PX', ARGV[3])
  return ARGV[2]
end
local fence = redis.call('INCR', KEYS[2])
redis.call('EXPIRE', KEYS[2], ARGV[4])
redis.call('SET', KEYS[1], ARGV[1] .. '#' .. fence, 'PX', ARGV[3])
return tostring(fence)
"""

RELEASE = """-- lease | token
if redis.call('GET', KEYS[1]) == ARGV[1] then return redis.call('DEL', KEYS[1]) end
return 0
"""

_FENCED = """if redis.call('GET', KEYS[1]) ~= ARGV[1] then return false end
"""

# Everything that was delivered and not acknowledged, oldest first, whoever held it.
SWEEP = (
    "-- lease, work | token, group, worker, start, count, work ttl\n"
    + _FENCED
    + """local made = redis.pcall('XGROUP', 'CREATE', KEYS[2], ARGV[2], '0', 'MKSTREAM')
if type(made) == 'table' and made.err and not string.find(made.err, 'BUSYGROUP') then return made end
redis.call('EXPIRE', KEYS[2], ARGV[6])
local got = redis.call('XAUTOCLAIM', KEYS[2], ARGV[2], ARGV[3], 0, ARGV[4], 'COUNT', ARGV[5])
return {got[1], got[2]}
"""
)

READ = (
    "-- lease, work | token, group, worker, count\n"
    + _FENCED
    + """local got = redis.call('XREADGROUP', 'GROUP', ARGV[2], ARGV[3], 'COUNT', ARGV[4], 'STREAMS', KEYS[2], '>')
if not got then return {} end
return got[1][2]
"""
)

# Counts the starts of an entry; a start that ended in order is taken back by RETRY_LATER or DONE, so what stays
# are workers that died over it.
BEGIN = (
    "-- lease, tries | token, entry, ttl\n"
    + _FENCED
    + """local tries = redis.call('HINCRBY', KEYS[2], ARGV[2], 1)
redis.call('EXPIRE', KEYS[2], ARGV[3])
return tries
"""
)

RETRY_LATER = (
    "-- lease, tries | token, entry\n"
    + _FENCED
    + """return redis.call('HINCRBY', KEYS[2], ARGV[2], -1)
"""
)

DONE = (
    "-- lease, work, tries | token, group, entry\n"
    + _FENCED
    + """redis.call('XACK', KEYS[2], ARGV[2], ARGV[3])
redis.call('XDEL', KEYS[2], ARGV[3])
redis.call('HDEL', KEYS[3], ARGV[3])
return 1
"""
)

BURY = (
    "-- lease, work, tries, dead | token, group, entry, json, reason, kept, ttl\n"
    + _FENCED
    + """redis.call('XADD', KEYS[4], 'MAXLEN', '~', ARGV[6], '*', 'message', ARGV[4], 'reason', ARGV[5], 'entry', ARGV[3])
redis.call('EXPIRE', KEYS[4], ARGV[7])
redis.call('XACK', KEYS[2], ARGV[2], ARGV[3])
redis.call('XDEL', KEYS[2], ARGV[3])
redis.call('HDEL', KEYS[3], ARGV[3])
return 1
"""
)
