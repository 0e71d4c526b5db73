import { type Requirement, requirementsOfSection } from './requirement.ts'

/** What changes what. */
export const STATE_TRANSITIONS: readonly Requirement[] = [
  ...requirementsOfSection('States and transitions', {
    'state.invite.unused':
      'A valid invite token makes a distributor with a key pair and is consumed by it.',
    'state.invite.consumed': 'A consumed or invalid invite token is HTTP 400 and changes nothing.',
    'state.level.made': 'A valid PUT makes a level that was absent.',
    'state.level.replaced': 'A valid PUT replaces a level that is present.',
    'state.level.permissions':
      'Sub keys use the new permissions of their level as soon as it has been replaced.',
    'state.level.deleted': 'DELETE removes a level with its permissions and limits.',
    'state.subscription.subscribed':
      'Subscribing to a new key of a coin channel is answered with status subscribed.',
    'state.subscription.already':
      'Subscribing to a key again is answered alreadySubscribed and changes nothing.',
    'state.subscription.unsubscribed':
      'Unsubscribing a key is answered unsubscribed and the connection stays open.',
    'state.subscription.notSubscribed':
      'Unsubscribing a key that is not subscribed is answered notSubscribed.',
    'state.addresses.added':
      'Subscribing addresses adds them to those that are there; repeats have no effect.',
    'state.addresses.removed':
      'Unsubscribing addresses removes these, and the connection stays open when none ' + 'remain.',
    'state.connection.idle': 'A connection from which no message has come for 60 s is closed.',
    'state.connection.close': 'A message of type close closes a user channel without a reply.',
    'state.alert.added':
      'An alert that is added is there, and result is the text "true" or "false".',
    'state.alert.deleted':
      'An alert that is deleted is gone, and result is the text "true" or "false".',
    'state.order.status': 'An order says filled or cancelled in the words of the examples.',
  }),
]
