// cspell:disable the names of Lua and Redis

/**
 * `RateLimitBook` as a Lua script: the same answers to the same calls, atomically and by the clock of Redis.
 *
 * - `state`, a hash: `held`, `arrivals`, `longest` (see `RateLimitBookState`), `fresh` (as in the book), `seen` (the latest
 *   time), `ahead` (how far the clock went back), and for each waiting call its opening, its deadline and its windows
 * - `done`, a list: the times of the requests with a response, in order. A list of integers takes a tenth of the memory
 *   of a sorted set.
 * - `flight`, a sorted set: the requests without a response, by their end
 * - `queue`, a sorted set: the waiting calls by order
 * - `told`, a sorted set: the waiting calls by the time at which they come back
 */
export const SCRIPT = `
local state, done, flight, queue, told = unpack(KEYS)
local op, id = ARGV[1], ARGV[2]
local GRACE, SOON, RANK = 5000, 1000, 2 ^ 50
local clock = redis.call('TIME')
local now = clock[1] * 1000 + math.floor(clock[2] / 1000)

local function text(number)
  return string.format('%.0f', number)
end

local function field(name)
  return tonumber(redis.call('HGET', state, name) or 0)
end

local longest = math.max(86400000, field('longest'))

local function keep(ms)
  for _, key in ipairs(KEYS) do
    if redis.call('PTTL', key) < ms then redis.call('PEXPIRE', key, text(ms)) end
  end
end

-- If the clock of Redis goes back, time continues from the latest one that is known. Otherwise calls would wait longer.
local ahead = field('ahead')
if now + ahead < field('seen') then
  ahead = field('seen') - now
  redis.call('HSET', state, 'ahead', text(ahead))
end
now = now + ahead
if op ~= 'count' then
  redis.call('HSET', state, 'seen', text(now))
  keep(longest)
end

-- Redis may have evicted a part of the queue. The calls of the rest take new places when they ask again.
local waiting = redis.call('ZCARD', queue)
if waiting ~= redis.call('ZCARD', told) or (waiting > 0 and field('arrivals') == 0) then
  redis.call('DEL', queue, told)
  redis.call('HDEL', state, 'fresh')
end

local function change()
  redis.call('HDEL', state, 'fresh')
end

local function leave(call)
  local place = redis.call('ZRANK', queue, call)
  redis.call('ZREM', queue, call)
  redis.call('ZREM', told, call)
  redis.call('HDEL', state, 'opening:' .. call, 'deadline:' .. call, 'windows:' .. call)
  if place and place < field('fresh') then redis.call('HSET', state, 'fresh', place) end
end

-- Adds a time in order: a request whose end nobody reported may be older than others.
local function insert(time)
  local place, later = -1, redis.call('LINDEX', done, -1)
  if not later or tonumber(later) <= time then return redis.call('RPUSH', done, text(time)) end
  local before = redis.call('LINDEX', done, place - 1)
  while before and tonumber(before) > time do
    place, later = place - 1, before
    before = redis.call('LINDEX', done, place - 1)
  end
  redis.call('LINSERT', done, 'BEFORE', later, text(time))
end

local function count(time)
  local oldest = redis.call('LINDEX', done, 0)
  while oldest and tonumber(oldest) <= time - longest do
    redis.call('LPOP', done)
    oldest = redis.call('LINDEX', done, 0)
  end
  insert(time)
  keep(longest)
end

local function settleLost(asking)
  local over = redis.call('ZRANGEBYSCORE', flight, '-inf', text(now), 'WITHSCORES')
  for index = 1, #over, 2 do
    redis.call('ZREM', flight, over[index])
    change()
    count(tonumber(over[index + 1]))
  end
  for _, call in ipairs(redis.call('ZRANGEBYSCORE', told, '-inf', text(now - GRACE))) do
    if call ~= asking then leave(call) end
  end
end

if op == 'hold' then
  redis.call('HSET', state, 'held', text(math.max(field('held'), now + tonumber(ARGV[2]))))
  change()
  keep(tonumber(ARGV[2]))
  return 1
end

if op == 'settle' then
  if redis.call('ZREM', flight, id) == 0 then
    leave(id)
  else
    change()
    if ARGV[3] == 'done' then count(now) end
  end
  return 1
end

if op == 'count' then
  settleLost()
  local answer = { redis.call('ZCARD', queue) }
  local size = redis.call('LLEN', done)
  for index = 2, #ARGV do
    local low, high = 0, size
    while low < high do
      local middle = math.floor((low + high) / 2)
      if tonumber(redis.call('LINDEX', done, middle)) <= now - tonumber(ARGV[index]) then
        low = middle + 1
      else
        high = middle
      end
    end
    answer[index] = size - low + redis.call('ZCARD', flight)
  end
  return answer
end

local timeout, maxWait, retry, background = tonumber(ARGV[3]), tonumber(ARGV[4]), tonumber(ARGV[5]), tonumber(ARGV[6])
local windows = ARGV[7]
local soon = SOON
for length in string.gmatch(windows, '(%d+):') do
  longest = math.max(longest, tonumber(length))
  soon = math.min(soon, tonumber(length) - 1)
end
redis.call('HSET', state, 'longest', text(longest))
settleLost(id)
if redis.call('ZSCORE', flight, id) then return { 'go', 0 } end

local held, inFlight = field('held'), redis.call('ZCARD', flight)

local calls, openings = {}, {}

local function callAt(place)
  calls[place] = calls[place] or redis.call('ZRANGE', queue, place, place)[1]
  return calls[place]
end

local function openingAt(place)
  openings[place] = openings[place] or field('opening:' .. callAt(place))
  return openings[place]
end

local function windowsAt(place)
  return redis.call('HGET', state, 'windows:' .. callAt(place))
end

local function opensAt(limits, place)
  local opening = math.max(held, place > 0 and openingAt(place - 1) or 0)
  for length, max in string.gmatch(limits, '(%d+):(%d+)') do
    local leaving, spare = now, max - place - inFlight
    if place >= tonumber(max) then
      leaving = math.max(now, openingAt(place - max))
    elseif spare > 0 then
      leaving = tonumber(redis.call('LINDEX', done, text(-spare)) or -math.huge)
    end
    opening = math.max(opening, leaving + length)
  end
  return opening
end

local known = redis.call('ZSCORE', queue, id)
local arrivals, deadline = field('arrivals'), known and field('deadline:' .. id) or now + maxWait
local order = tonumber(known or (background * 2 + 1 - retry) * RANK + arrivals)
local place = redis.call('ZCOUNT', queue, '-inf', '(' .. text(order))
for index = field('fresh'), place - 1 do
  openings[index] = opensAt(windowsAt(index), index)
  redis.call('HSET', state, 'opening:' .. callAt(index), text(openings[index]))
end
if field('fresh') < place then redis.call('HSET', state, 'fresh', place) end
local opening = math.max(now, opensAt(windows, place))
if not known or background == 1 then soon = 0 end
local isTurn = opening - now <= soon
for index = 0, isTurn and place - 1 or -1 do
  if opensAt(windowsAt(index), index + 1) > opening then
    isTurn, opening = false, now + SOON
    break
  end
end
local ms = opening - now
if isTurn then
  leave(id)
  change()
  redis.call('ZADD', flight, text(opening + timeout), id)
  if ms > 0 then redis.call('HSET', state, 'held', text(opening)) end
  keep(longest + timeout + ms)
  return { 'go', ms }
end
if (known and deadline <= now) or (not known and ms > maxWait) then
  leave(id)
  keep(longest)
  return { 'refused', ms }
end

local back = math.min(opening, deadline)
if not known then redis.call('HSET', state, 'arrivals', text(arrivals + 1)) end
redis.call('HSET', state, 'opening:' .. id, text(opening), 'deadline:' .. id, text(deadline), 'windows:' .. id, windows)
redis.call('HSET', state, 'fresh', place + 1)
redis.call('ZADD', queue, text(order), id)
redis.call('ZADD', told, text(back), id)
keep(longest + timeout + back - now + GRACE)
return { 'wait', back - now }
`.replace(/^ *(--.*)?\n?/gm, '');
