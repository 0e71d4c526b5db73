/** Requirements and open questions of distributor management. */

import type { AnswerTo } from '../../../contract/questions.ts'
import type { Probe } from '../../probe.ts'
import {
  among,
  byAnswers,
  type Observers,
  type Requirement,
  requirementsOfSection,
} from '../../requirement.ts'
import { isJsonObject, isSuccess } from '../../responses.ts'
import { deleteLevel, levelNames, levelWith, OWN_LEVEL, putLevel, withOwnLevel } from './levels.ts'

// Requirements.

/** Requirements of the contract on distributor management. */
export const DISTRIBUTOR_REQUIREMENTS: readonly Requirement[] = [
  ...requirementsOfSection('Resources: Distributor', {
    'distributor.fields': byAnswers(
      'A distributor shows its key, name, level, ceiling and count of sub keys, and monthly ' +
        'ceiling.',
      'distributor.info',
    ),
    'distributor.secretOnce':
      'The secret key is in the answer to the registration and in no other answer.',
    'distributor.presets':
      'Name, level, sub key limit and monthly quota of a new distributor come from its ' +
      'invite token.',
    'distributor.subKeyCount': 'sub_key_count never exceeds max_sub_keys.',
    'quota.fields': byAnswers('The quota summary has five whole numbers.', 'distributor.quota'),
    'quota.ceiling':
      'max_total_quota of the summary is the monthly ceiling that the distributor has.',
    'quota.available': 'available_quota is max_total_quota minus allocated_quota.',
    'quota.used': 'used_quota counts the requests of this month by all sub keys, to the request.',
    'quota.remaining': 'remaining_quota is max_total_quota minus used_quota, and never below zero.',
    'level.fields': byAnswers(
      'A level has three request limits, all whole numbers, and a list of permissions.',
      'distributor.level',
    ),
    'level.permissions': 'A permission of a level is a resource_type and a list of actions.',
    'level.resourceType': 'The only resource_type of a level is perpdex.',
    'level.actions': 'The actions of a level are names of the action map.',
  }),
  ...requirementsOfSection('Endpoints: Distributor management', {
    'operation.distributor.register':
      'POST /register takes an invite_token without a signature and gives a key pair, name ' +
      'and level.',
    'operation.distributor.register.token': 'POST /register needs its invite_token.',
    'operation.distributor.putLevel':
      'PUT /levels/:level is answered with success and message, without data.',
    'operation.distributor.deleteLevel':
      'DELETE /levels/:level is answered with a boolean success.',
    'distributor.rule.resourceType': 'A PUT with a resource_type other than perpdex is HTTP 400.',
    'distributor.rule.nothingGranted':
      'A sub key whose level grants nothing is refused at every data endpoint with HTTP ' + '403.',
    'distributor.rule.levelsFirst': 'A new distributor has no levels until it has PUT some.',
    'distributor.rule.oneAction':
      'Each endpoint needs one action; a sub key without it is refused with HTTP 403.',
    'distributor.rule.noNewActions':
      'A level grants the actions that were PUT and gains none by itself.',
  }),
  ...requirementsOfSection('States and transitions', {
    'state.invite.unused':
      'A valid invite token makes a distributor with a key pair and is consumed by it.',
    'state.invite.consumed': 'A used or invalid invite token is HTTP 400 and changes nothing.',
    'state.level.made': 'A valid PUT creates a level that does not exist.',
    'state.level.replaced': 'A valid PUT replaces an existing level.',
    'state.level.permissions':
      'Sub keys have the new permissions of their level as soon as it is replaced.',
    'state.level.deleted': 'DELETE removes a level with its permissions and limits.',
  }),
  ...requirementsOfSection('Versioning', {
    'version.newActions': 'A level serves a new action only after it has been PUT with it.',
  }),
]

// Observers.

/** Observers of the open questions about distributor management. */
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
