import { type Requirement, requirementsOfSection } from './requirement.ts'

/** Distributor management. */
export const DISTRIBUTOR: readonly Requirement[] = [
  ...requirementsOfSection('Endpoints: Distributor management', {
    'operation.distributor.register':
      'POST /register takes an invite_token without a signature and gives a key pair, name ' +
      'and level.',
    'operation.distributor.register.token': 'POST /register needs its invite_token.',
    'operation.distributor.putLevel':
      'PUT /levels/:level is answered with success and message, without data.',
    'operation.distributor.deleteLevel':
      'DELETE /levels/:level is answered with a boolean success.',
    'distributor.rule.resourceType': 'A PUT with another resource_type than perpdex is HTTP 400.',
    'distributor.rule.nothingGranted':
      'A sub key whose level grants nothing is refused at every data endpoint with HTTP ' + '403.',
    'distributor.rule.levelsFirst': 'A new distributor has no levels until it has PUT some.',
    'distributor.rule.oneAction':
      'Each endpoint needs one action; a sub key without it is refused with HTTP 403.',
    'distributor.rule.noNewActions':
      'A level grants the actions that were PUT and gains none by itself.',
  }),
]
