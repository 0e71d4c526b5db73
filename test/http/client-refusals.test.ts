/** Kinds of refusals, and their waits, in every known form. */
import { expect, test } from 'bun:test'
import { ServiceError } from '../../src/clients/service/errors.ts'
import { answered, failure } from '../fixtures/answered-client.ts'

test.each([
  [401, '{"success":false,"error":"缺少AccessKeyId参数"}', 'signature'],
  [401, '{"success":false,"error":"AccessKey无效"}', 'signature'],
  [403, '{"success":false,"error":"没有权限访问此资源"}', 'permission'],
  [200, '{"success":false,"errorCode":1001,"error":"验证失败"}', 'signature'],
  [200, '{"success":false,"errorCode":304,"error":"upgrade your plan"}', 'permission'],
  [200, '{"success":false,"errorCode":304,"error":"invalid_key"}', 'parameter'],
  [200, '{"success":false,"errorCode":403,"error":"there is no such article"}', 'absent'],
  [200, '{"success":false,"errorCode":400,"error":"common.not_exist_id"}', 'absent'],
  [200, '{"code":"400","msg":"position not found","data":null}', 'absent'],
  [200, '{"code":"401","msg":"Invalid signature","data":null}', 'signature'],
  [200, '{"code":401,"msg":"","data":null}', 'signature'],
  [403, '{"code":"403","msg":"请求过于频繁"}', 'rate'],
  [429, 'null', 'rate'],
  [429, '{"error":1}', 'rate'],
  [429, '{"code":"429","msg":"the quota of this month is used up","data":null}', 'quota'],
  [400, '{"code":"400","msg":"请求体无效","data":null}', 'parameter'],
  [500, '{"success":false,"error":"服务器内部错误"}', 'fault'],
  [503, '{"code":"503","msg":"nothing was changed: try later","data":null}', 'unavailable'],
])('%i %s is a refusal of kind %s', async (status, body, kind) => {
  const error = await failure(answered([{ status, body }]).service.coin.list())
  expect(error).toBeInstanceOf(ServiceError)
  expect(error.kind as string).toBe(kind)
})

test.each([
  ['7', 7],
  ['0.5', 0.5],
  ['Wed, 04 Mar 2026 10:22:30 GMT', 120],
  ['Wed, 04 Mar 2026 10:00:00 GMT', 0],
  ['soon', null],
])('Retry-After %s of any answer is so many seconds', async (header, seconds) => {
  const headers = { 'retry-after': header, date: 'Wed, 04 Mar 2026 10:20:30 GMT' }
  for (const [status, body] of [
    [429, '{"code":"429","msg":"slow","data":null}'],
    [503, '<html><body>under maintenance</body></html>'],
    [429, 'null'],
  ] as const) {
    const error = await failure(answered([{ status, body, headers }]).service.coin.list())
    expect([error.name, error.retryAfterS]).toEqual([
      body.startsWith('<') ? 'AnswerError' : 'ServiceError',
      seconds,
    ])
  }
})
