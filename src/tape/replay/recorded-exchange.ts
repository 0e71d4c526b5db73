/** A recorded exchange as the contract understands it. */
import type { Operation } from '../../contract/operation.ts'
import type { HttpExchangeData } from '../recorded-data.ts'
import { AS_RECORDED, type AskedRequest, askedRequest } from './asked-request.ts'
import { jsonOf } from './json-text.ts'
import { type RecordedRoutes, splitUrl } from './recorded-routes.ts'

/** What was asked for; null where no operation is for it. */
export function recordedRequest(
  { method, url, requestBody }: Pick<HttpExchangeData, 'method' | 'url' | 'requestBody'>,
  routes: RecordedRoutes,
): AskedRequest | null {
  const { path, query } = splitUrl(url)
  const found = routes.operationAt(method, path)
  if (!found) return null
  const { operation, params } = found
  return askedRequest({ operation, params, query, body: jsonOf(requestBody) }, AS_RECORDED)
}

/** The data of an answer, out of its envelope; undefined for a refusal and for what is no JSON. */
export function recordedData(
  { envelope }: Operation,
  { status, responseBody }: Pick<HttpExchangeData, 'status' | 'responseBody'>,
): unknown {
  if (status !== 200) return undefined
  const body = jsonOf(responseBody)
  if (envelope.kind === 'bare') return body
  if (typeof body !== 'object' || body === null) return undefined
  const { success, code, data } = body as Record<string, unknown>
  const hasSucceeded =
    envelope.kind === 'B' ? String(code) === String(envelope.code) : success === true
  return hasSucceeded ? data : undefined
}
