/** Requests for coins that a scenario lets there not be. */
import type { Slices } from '../clock/turns.ts'
import { withAskedNames, withUnknownCoins } from '../scenario/unlisted-coins.ts'
import { type HttpRequest, parseQuery } from './http-message.ts'
import type { OperationCall } from './operation-call.ts'
import type { Outcome } from './outcome.ts'

/** Answers a request as if it named unknown coins; the answer has the names that were asked for. */
export function* withUnlisted(
  call: OperationCall,
  coins: readonly string[],
  run: (call: OperationCall) => Slices<Outcome>,
): Slices<Outcome> {
  if (coins.length === 0) return yield* run(call)
  const outcome = yield* run(unlistedCall(call, coins))
  const { answer } = outcome
  return { ...outcome, answer: { ...answer, body: withAskedNames(answer.body) } }
}

function unlistedCall(call: OperationCall, coins: readonly string[]): OperationCall {
  const { request, body } = call
  const query = new URLSearchParams(
    [...new URLSearchParams(request.query)].map(([name, value]): [string, string] => [
      name,
      withUnknownCoins(value, coins) as string,
    ]),
  ).toString()
  const params = withUnknownCoins(request.params, coins) as HttpRequest['params']
  return {
    ...call,
    request: { ...request, params, query },
    query: parseQuery(query),
    body: withUnknownCoins(body, coins),
  }
}
