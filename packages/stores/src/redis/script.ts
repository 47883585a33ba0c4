// cspell:disable the names of Lua and Redis

/**
 * `RateLimitBook` as a Lua script: the same results for the same calls, atomically and with the clock of Redis.
 *
 * - `state`, a hash: `held`, `arrivals`, `seen` and `ahead` (see `RateLimitBookState`), and the deadline of each waiting call
 * - `done`, a list: the times of the requests with a response, in order. A list of integers takes a tenth of the memory
 *   of a sorted set.
 * - `flight`, a sorted set: the requests without a response, by their end
 * - `queue`, a sorted set: the waiting calls by order
 * - `asks`, a sorted set: the waiting calls by the time at which they come back
 */
export const SCRIPT = `
local state, done, flight, queue, asks = unpack(KEYS)
local op, id = ARGV[1], ARGV[2]
local DAY, LOST_AFTER, EARLY_BY, RANK = 86400000, 5000, 1000, 2 ^ 50
local clock = redis.call('TIME')
local now = clock[1] * 1000 + math.floor(clock[2] / 1000)

local function text(number) return string.format('%.0f', number) end
local function field(name) return tonumber(redis.call('HGET', state, name) or 0) end
local function keep(ms)
  for _, key in ipairs(KEYS) do
    if redis.call('PTTL', key) < ms then redis.call('PEXPIRE', key, text(ms)) end
  end
end

-- If the clock of Redis goes back, time continues from the latest one that is known. Otherwise calls would wait longer.
local ahead = math.max(field('ahead'), field('seen') - now)
now = now + ahead
if op ~= 'count' then
  redis.call('HSET', state, 'ahead', text(ahead), 'seen', text(now))
  keep(DAY)
end

-- Redis may have evicted a part of the queue. The calls of the rest take new places when they ask again.
local waiting = redis.call('ZCARD', queue)
if waiting ~= redis.call('ZCARD', asks) or waiting > 0 and field('arrivals') == 0 then redis.call('DEL', queue, asks) end

local function leave(call)
  redis.call('ZREM', queue, call)
  redis.call('ZREM', asks, call)
  redis.call('HDEL', state, 'deadline:' .. call)
end

local function count(time)
  while tonumber(redis.call('LINDEX', done, 0) or now) <= time - DAY do redis.call('LPOP', done) end
  -- A request whose end was not reported may be older than others.
  local place = -1
  while tonumber(redis.call('LINDEX', done, place) or 0) > time do place = place - 1 end
  local later = redis.call('LINDEX', done, place + 1)
  if place == -1 then redis.call('RPUSH', done, text(time)) else redis.call('LINSERT', done, 'BEFORE', later, text(time)) end
  keep(DAY)
end

if op == 'take' or op == 'count' then
  local over = redis.call('ZRANGEBYSCORE', flight, '-inf', text(now), 'WITHSCORES')
  for index = 1, #over, 2 do
    redis.call('ZREM', flight, over[index])
    count(tonumber(over[index + 1]))
  end
  for _, call in ipairs(redis.call('ZRANGEBYSCORE', asks, '-inf', text(now - LOST_AFTER))) do
    if call ~= id then leave(call) end
  end
end

if op == 'hold' then
  redis.call('HSET', state, 'held', text(math.max(field('held'), now + tonumber(id))))
  keep(tonumber(id))
  return 1
end

if op == 'settle' then
  if redis.call('ZREM', flight, id) == 0 then leave(id) elseif ARGV[3] == 'done' then count(now) end
  return 1
end

if op == 'count' then
  local answer, times = { redis.call('ZCARD', queue) }, redis.call('LRANGE', done, 0, -1)
  for index = 2, #ARGV do
    local place = #times
    while place > 0 and tonumber(times[place]) > now - tonumber(ARGV[index]) do place = place - 1 end
    answer[index] = #times - place + redis.call('ZCARD', flight)
  end
  return answer
end

local timeout, maxWait, retry, reserve = tonumber(ARGV[3]), tonumber(ARGV[4]), tonumber(ARGV[5]), tonumber(ARGV[6])
-- The answer was lost. It may have promised a place for a little later.
local over = redis.call('ZSCORE', flight, id)
if over then return { 'go', math.max(0, over - timeout - now) } end
local known = redis.call('ZSCORE', queue, id)
local deadline = known and field('deadline:' .. id) or now + maxWait
local order = tonumber(known or ((reserve > 0 and 2 or 0) + 1 - retry) * RANK + field('arrivals'))
leave(id)
local place = redis.call('ZCOUNT', queue, '-inf', '(' .. text(order))
local unreserved = redis.call('ZCOUNT', queue, '-inf', '(' .. text(2 * RANK))
local start, inFlight = math.max(now, field('held')), redis.call('ZCARD', flight)

-- The places that a call of each place waits for, one for each window. Those before 0 have left the queue.
local lengths, maxima = {}, {}
for length, max in string.gmatch(ARGV[7], '(%d+):(%d+)') do
  lengths[#lengths + 1], maxima[#maxima + 1] = tonumber(length), tonumber(max)
end
local function before(from, index)
  return from - math.max(1, maxima[index] - (index == 1 and from >= unreserved and reserve or 0))
end
local places, openings = { place }, { [place] = start }
for _, from in ipairs(places) do
  for index = 1, #lengths do
    local other = before(from, index)
    if other >= 0 and not openings[other] then places[#places + 1], openings[other] = other, start end
  end
end
table.sort(places)
for _, from in ipairs(places) do
  for index, length in ipairs(lengths) do
    local other = before(from, index)
    local left = openings[other] or now
    if other < -inFlight then left = tonumber(redis.call('LINDEX', done, other + inFlight) or -math.huge) end
    openings[from] = math.max(openings[from], left + length)
  end
end

local opening = openings[place]
local ms = opening - now
if ms <= (known and reserve == 0 and math.min(EARLY_BY, lengths[1] - 1) or 0) then
  redis.call('ZADD', flight, text(opening + timeout), id)
  if ms > 0 then redis.call('HSET', state, 'held', text(opening)) end
  keep(DAY + timeout + ms)
  return { 'go', ms }
end
if (known and deadline <= now) or (not known and ms > maxWait) then return { 'refused', ms } end
local back = math.min(opening, deadline)
redis.call('HSET', state, 'deadline:' .. id, text(deadline))
if not known then redis.call('HINCRBY', state, 'arrivals', 1) end
redis.call('ZADD', queue, text(order), id)
redis.call('ZADD', asks, text(back), id)
keep(DAY + timeout + back - now + LOST_AFTER)
return { 'wait', back - now }
`.replace(/^ *(--.*)?\n?/gm, '');
