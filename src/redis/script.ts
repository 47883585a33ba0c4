// cspell:disable the names of Lua and Redis

/**
 * `RateLimitBook` as a Lua script: the same answers to the same calls, atomically and by the clock of Redis.
 *
 * - `state`, a hash: `held`, `counted`, `arrivals`, `longest` (see `RateLimitBookState`), `classes` (the windows of those
 *   who wait), and for each waiter its `before` and `deadline`
 * - `done`, a list: the times of the requests with a response, in order. A list of integers takes a tenth of the memory
 *   of a sorted set.
 * - `flight`, a sorted set: the requests without a response, by their end
 * - `line`, a sorted set: the waiters by class and order
 * - `told`, a sorted set: the waiters by the time at which they come back
 */
export const SCRIPT = `
local state, done, flight, line, told = unpack(KEYS)
local op, id = ARGV[1], ARGV[2]
local GRACE, SOON, RANGE = 5000, 1000, 2 ^ 42
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

local function leave(waiter)
  redis.call('ZREM', line, waiter)
  redis.call('ZREM', told, waiter)
  redis.call('HDEL', state, 'waiter:' .. waiter)
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
  redis.call('HINCRBY', state, 'counted', 1)
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
    count(tonumber(over[index + 1]))
  end
  for _, waiter in ipairs(redis.call('ZRANGEBYSCORE', told, '-inf', text(now - GRACE))) do
    if waiter ~= asking then leave(waiter) end
  end
end

local function windowsOf(class)
  local windows = {}
  for length, max in string.gmatch(class, '(%d+):(%d+)') do
    windows[#windows + 1] = { length = tonumber(length), max = tonumber(max) }
  end
  return windows
end

if op == 'hold' then
  redis.call('HSET', state, 'held', text(math.max(field('held'), now + tonumber(ARGV[2]))))
  keep(tonumber(ARGV[2]))
  return 1
end

if op == 'settle' then
  if redis.call('ZREM', flight, id) == 0 then
    leave(id)
  elseif ARGV[3] == 'done' then
    count(now)
  end
  return 1
end

if op == 'count' then
  settleLost()
  local answer = { redis.call('ZCARD', line) }
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

local timeout, maxWait, class = tonumber(ARGV[3]), tonumber(ARGV[4]), ARGV[6]
local own = windowsOf(class)
local soon = SOON
for _, window in ipairs(own) do
  longest = math.max(longest, window.length)
  soon = math.min(soon, window.length - 1)
end
redis.call('HSET', state, 'longest', text(longest))
settleLost(id)
if redis.call('ZSCORE', flight, id) then return { 'go', 0 } end

local held, inFlight = field('held'), redis.call('ZCARD', flight)
local sent = field('counted') + inFlight
if redis.call('ZCARD', line) == 0 then redis.call('HDEL', state, 'classes') end
local classes = redis.call('HGET', state, 'classes') or ''

local function opensAt(windows, ahead, openingOf)
  local opening = math.max(now, held)
  for _, window in ipairs(windows) do
    local place, spare, leaving = ahead - window.max, window.max - ahead - inFlight, now
    if place >= 0 then
      leaving = openingOf and openingOf(place) or -math.huge
    elseif spare > 0 then
      leaving = tonumber(redis.call('LINDEX', done, text(-spare)) or -math.huge)
    end
    opening = math.max(opening, leaving + window.length)
  end
  return opening
end

local function opensBehind(ahead, theirs)
  local function first(place) return opensAt(theirs, place) end
  local openingOf = first
  for index, window in ipairs(theirs) do
    local shorter = openingOf
    openingOf = function(place)
      local rest, rounds = place % window.max, math.floor(place / window.max) * window.length
      if index == 1 then return rounds + first(rest) end
      return math.max(shorter(place), rounds + shorter(rest), rounds + first(rest))
    end
  end
  return math.max(openingOf(ahead - 1), opensAt(own, ahead, openingOf))
end

local function isTighter(theirs)
  for index, window in ipairs(theirs) do
    if window.max < (own[index] and own[index].max or 0) then return true end
  end
  return false
end

local known = redis.call('ZSCORE', line, id)
local arrivals = field('arrivals')
local order = known and tonumber(known) % RANGE or (ARGV[5] == '1' and 0 or RANGE / 2) + arrivals
local opening, before, base, number = opensAt(own, 0), sent, nil, 0
for other in string.gmatch(classes, '%S+') do
  number = number + 1
  if other == class then base = number * RANGE end
  local theirs = windowsOf(other)
  local ahead = 0
  if not isTighter(theirs) then
    ahead = redis.call('ZCOUNT', line, text(number * RANGE), '(' .. text(number * RANGE + order))
  end
  if ahead > 0 then
    opening = math.max(opening, opensBehind(ahead, theirs))
    before = math.max(before, sent + ahead)
  end
end

local ms, deadline = opening - now, now + maxWait
if known then
  before, deadline = string.match(redis.call('HGET', state, 'waiter:' .. id), '(%S+) (%S+)')
  before, deadline = tonumber(before), tonumber(deadline)
end
local isPassed = before < sent
if ms <= 0 or (known and ms <= soon and not (isPassed and opening > deadline)) then
  leave(id)
  redis.call('ZADD', flight, text(opening + timeout), id)
  keep(longest + timeout + ms)
  return { 'go', ms }
end
if not known and ms > maxWait then
  keep(longest)
  return { 'refused', ms }
end

if not known then redis.call('HSET', state, 'arrivals', text(arrivals + 1)) end
leave(id)
local isLate = deadline <= now
if isLate and isPassed then return { 'refused', ms } end
local back = isLate and opening or math.min(opening, deadline)
if not base then
  base = (number + 1) * RANGE
  redis.call('HSET', state, 'classes', classes .. ' ' .. class)
end
redis.call('HSET', state, 'waiter:' .. id, text(before) .. ' ' .. text(deadline))
redis.call('ZADD', line, text(base + order), id)
redis.call('ZADD', told, text(back), id)
keep(longest + timeout + back - now + GRACE)
return { 'wait', back - now }
`.replace(/^ *(--.*)?\n?/gm, '');
