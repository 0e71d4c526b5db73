/**
 * The functions that run in Redis, each at once and whole. All keys of a call belong to one
 * sandbox, so that a cluster has them in one place.
 *
 * A sandbox is three keys: a hash with its generation, the number and id of its latest change and
 * its parts; a stream of changes, one entry for each number; a hash of its usage counts.
 */

/** A function with its name for messages. */
export interface RedisScript {
  name: string
  text: string
}

/** Entries of a log; a replica further behind reads the whole sandbox. */
const LOG_LENGTH = 1_000

/**
 * KEYS: state, log, usage. ARGV: generation, number and id of the latest change that the caller
 * has. Ends with what the caller lacks, unless it has everything.
 */
const CHECK = `
local at = redis.call('HMGET', KEYS[1], 'generation', 'head', 'id')
if not at[1] then return {'gone'} end
if at[1] ~= ARGV[1] then return {'replaced'} end
if at[2] ~= ARGV[2] or at[3] ~= ARGV[3] then
  local found = redis.call('XRANGE', KEYS[2], ARGV[2] .. '-0', '+')
  if not found[1] or tonumber(at[2]) < tonumber(ARGV[2]) then return {'back'} end
  if found[1][1] ~= ARGV[2] .. '-0' then return {'replaced'} end
  if found[1][2][2] ~= ARGV[3] then return {'back'} end
  local answer = {'behind'}
  for i = 2, #found do
    answer[#answer + 1] = found[i][1]
    answer[#answer + 1] = found[i][2][2]
    answer[#answer + 1] = found[i][2][4]
    answer[#answer + 1] = found[i][2][6]
  end
  return answer
end
`

/**
 * Further ARGV: whether all counts are wanted; time to live, ms, 0 for none; month; minute; for
 * each count its name and its limits of a minute and a month, -1 for none. Counts one request
 * unless a limit is reached. Returns `current`, 0 or the reached limit, and the counts.
 */
export const BEGIN: RedisScript = {
  name: 'begin',
  text: `${CHECK}
if ARGV[5] ~= '0' then for i = 1, 3 do redis.call('PEXPIRE', KEYS[i], ARGV[5]) end end
local month, minute = tonumber(ARGV[6]), tonumber(ARGV[7])
local reached, counts = 0, {}
for i = 8, #ARGV, 3 do
  local text = redis.call('HGET', KEYS[3], ARGV[i]) or '0:0:0:0'
  local m, inMonth, n, inMinute = string.match(text, '^(%d+):(%d+):(%d+):(%d+)$')
  m, n, inMonth, inMinute = tonumber(m), tonumber(n), tonumber(inMonth), tonumber(inMinute)
  if m < month then m, inMonth = month, 0 end
  if n < minute then n, inMinute = minute, 0 end
  local rate, quota = tonumber(ARGV[i + 1]), tonumber(ARGV[i + 2])
  if reached == 0 and rate >= 0 and inMinute >= rate then reached = 1 end
  if reached == 0 and quota >= 0 and inMonth >= quota then reached = 2 end
  counts[#counts + 1] = {ARGV[i], m, inMonth, n, inMinute}
end
local answer = {'current', reached}
for _, c in ipairs(counts) do
  if reached == 0 then c[3], c[5] = c[3] + 1, c[5] + 1 end
  local text = string.format('%.0f:%.0f:%.0f:%.0f', c[2], c[3], c[4], c[5])
  if reached == 0 then redis.call('HSET', KEYS[3], c[1], text) end
  answer[#answer + 1] = c[1]
  answer[#answer + 1] = text
end
if ARGV[4] == '1' then
  answer = {'current', reached}
  for _, value in ipairs(redis.call('HGETALL', KEYS[3])) do answer[#answer + 1] = value end
end
return answer
`,
}

/**
 * Further ARGV: number and id of this change, its text, channel and name of the sandbox, the count
 * of parts; for each part its field and value, empty where it is gone; then the same of counts.
 */
export const COMMIT: RedisScript = {
  name: 'commit',
  text: `${CHECK}
local last = 9 + 2 * tonumber(ARGV[9])
for i = 10, #ARGV, 2 do
  local key = KEYS[1]
  if i > last then key = KEYS[3] end
  if ARGV[i + 1] == '' then redis.call('HDEL', key, ARGV[i])
  else redis.call('HSET', key, ARGV[i], ARGV[i + 1]) end
end
redis.call('HSET', KEYS[1], 'head', ARGV[4], 'id', ARGV[5])
local time = redis.call('TIME')
local atMs = string.format('%.3f', time[1] * 1000 + time[2] / 1000)
local entry = {'id', ARGV[5], 'parts', ARGV[6], 'atMs', atMs}
redis.call('XADD', KEYS[2], 'MAXLEN', '${LOG_LENGTH}', ARGV[4] .. '-0', unpack(entry))
redis.call('PUBLISH', ARGV[7], ARGV[8])
return {'current', 0}
`,
}

/**
 * KEYS: state, log, usage. ARGV: the generation that is replaced, empty where there must be none;
 * the new generation; id; channel and name of the sandbox; the count of fields; each field with its
 * value; then the same of counts.
 */
export const WRITE: RedisScript = {
  name: 'write',
  text: `
local at = redis.call('HGET', KEYS[1], 'generation') or ''
if at ~= ARGV[1] then return {at == '' and 'gone' or 'replaced'} end
for i = 1, 3 do redis.call('DEL', KEYS[i]) end
redis.call('HSET', KEYS[1], 'generation', ARGV[2], 'head', '1', 'id', ARGV[3])
redis.call('XADD', KEYS[2], '1-0', 'id', ARGV[3], 'parts', '[]')
local last = 6 + 2 * tonumber(ARGV[6])
for i = 7, #ARGV, 2 do
  local key = KEYS[1]
  if i > last then key = KEYS[3] end
  redis.call('HSET', key, ARGV[i], ARGV[i + 1])
end
redis.call('PUBLISH', ARGV[4], ARGV[5])
return {'current', 0}
`,
}

/**
 * KEYS: the marker of the store. ARGV: its fields with their values, which the first replica
 * writes. Returns all fields.
 */
export const ENTER: RedisScript = {
  name: 'enter',
  text: `
if redis.call('EXISTS', KEYS[1]) == 0 then
  local time = redis.call('TIME')
  redis.call('HSET', KEYS[1], 'epoch', time[1] .. '.' .. time[2])
  for i = 1, #ARGV, 2 do redis.call('HSET', KEYS[1], ARGV[i], ARGV[i + 1]) end
end
return redis.call('HGETALL', KEYS[1])
`,
}

/** KEYS: state, log, usage. Returns all fields and all counts. */
export const READ: RedisScript = {
  name: 'read',
  text: `return {redis.call('HGETALL', KEYS[1]), redis.call('HGETALL', KEYS[3])}`,
}

/** KEYS: state, log, usage. ARGV: channel and name of the sandbox. */
export const REMOVE: RedisScript = {
  name: 'remove',
  text: `
for i = 1, 3 do redis.call('DEL', KEYS[i]) end
redis.call('PUBLISH', ARGV[1], ARGV[2])
return {'current', 0}
`,
}
