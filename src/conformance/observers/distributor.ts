/** Distributor management. */

import type { AnswerTo } from '../../contract/questions.ts'
import {
  deleteLevel,
  levelNames,
  levelWith,
  OWN_LEVEL,
  putLevel,
} from '../cases/distributor/level-requests.ts'
import { isJsonObject } from '../parsed-json.ts'
import type { Probe } from '../probe.ts'
import { isSuccess } from '../response-reading.ts'
import { withOwnLevel } from './level-changes.ts'
import { among, type Observers } from './observer.ts'

export const DISTRIBUTOR_OBSERVERS: Observers = {
  'level-absent': async (probe) => {
    const path = '/distributor/levels/there-is-no-such-level'
    const { status } = await probe.request({ path, signedBy: 'partner' })
    return among(status, ['404', '400'])
  },
  'level-delete-answer': async (probe: Probe) => {
    const names = await withOwnLevel(probe, {}, async () => {
      const { json } = await deleteLevel(probe, OWN_LEVEL)
      return Object.keys(isJsonObject(json) ? json : {}).sort()
    })
    return DELETE_ANSWERS[names.join()] ?? null
  },
  'distributor-refusal': async (probe: Probe) => {
    const { request_limits: limits } = levelWith([])
    const envelopeFor = async (permissions: unknown) => {
      const level = { request_limits: limits, permissions }
      const { json } = await putLevel(probe, OWN_LEVEL, level)
      return isJsonObject(json) && 'msg' in json
        ? 'B'
        : isJsonObject(json) && 'error' in json
          ? 'C'
          : '?'
    }
    if ((await levelNames(probe)).includes(OWN_LEVEL))
      probe.skip(`the level ${OWN_LEVEL} is there already`)
    const [missing, wrong] = [await envelopeFor(undefined), await envelopeFor('all')]
    await deleteLevel(probe, OWN_LEVEL)
    return REFUSED_IN[missing + wrong] ?? null
  },
  'sub-key-open-endpoints': async (probe: Probe) => {
    const exchange = await probe.request({ path: '/coin', signedBy: 'sub' })
    return isSuccess(exchange) ? 'granted' : exchange.status === 403 ? 'never' : null
  },
  'sub-key-paths': async (probe: Probe) => {
    const exchange = await probe.request({ path: '/distributor/sub-keys', signedBy: 'partner' })
    return isSuccess(exchange) ? 'mirrored' : exchange.status === 404 ? 'control' : null
  },
}

const REFUSED_IN: Record<string, AnswerTo<'distributor-refusal'>> = {
  BB: 'B',
  CC: 'C',
  BC: 'by-flaw',
}

const DELETE_ANSWERS: Record<string, AnswerTo<'level-delete-answer'>> = {
  'message,success': 'message',
  success: 'bare',
  'data,message,success': 'data',
}
