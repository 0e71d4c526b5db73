import { type Requirement, requirementsOfSection } from './requirement.ts'

/** How the service says no. */
export const ERRORS: readonly Requirement[] = [
  ...requirementsOfSection('Errors', {
    'error.invite':
      'An invalid or consumed invite token is HTTP 400 with success false and an error ' + 'text.',
    'error.resourceType': 'Another resource_type in a level is HTTP 400.',
    'error.missing':
      'A missing parameter is envelope B with code "400", a msg that names it, and null ' + 'data.',
    'error.signature':
      'An invalid signature is envelope B with code "401", msg "Invalid signature" and null ' +
      'data.',
    'error.permission':
      'A missing permission is HTTP 403, code "403" and msg "Permission denied: ' +
      '<PERMISSION>".',
    'error.position': 'A completed position that cannot be found is HTTP 400.',
    'error.positionTimes': 'A completed position without startTime and endTime is HTTP 400.',
    'error.noPosition': 'A current position that does not exist is success with null data.',
    'error.order': 'An order that does not exist is success with null data.',
    'error.depthEmpty': 'latest-depth without data is HTTP 200 with empty levels.',
    'error.silentCaps': "What is above size or a batch's maximum is cut without an error.",
    'error.idle': 'An idle socket is closed by the server, mostly seen as 1006.',
  }),
]
