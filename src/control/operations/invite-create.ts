import { Nullable, Type } from '../../contract/schema.ts'
import { boundFlaw, INVITES_MAX } from '../../sandbox/sandbox-bounds.ts'
import { invitePresetsOf } from '../../sandbox/tenancy/key-management.ts'
import { UserError } from '../../user-error.ts'
import { controlOperation } from '../control-operation.ts'
import { InviteView, inviteView, NameField } from '../key-records.ts'

const count = (description: string) => Type.Integer({ minimum: 0, maximum: 1e12, description })

export const inviteCreate = controlOperation({
  id: 'invite.create',
  method: 'POST',
  path: '/sandboxes/:id/invites',
  title: 'Make an invite token',
  about: 'What it presets is what the distributor that registers with it will be.',
  params: {
    body: Type.Object({
      inviteToken: Type.Optional(
        Type.String({
          pattern: '^[\\w-]+$',
          minLength: 4,
          maxLength: 100,
          'x-form': 'letters, digits, `_` and `-`',
          description: 'one is made if left out',
        }),
      ),
      name: Type.Optional(NameField),
      level: Type.Optional(NameField),
      maxSubKeys: Type.Optional(count('sub keys')),
      maxTotalQuota: Type.Optional(count('requests a month, over all sub keys')),
      maxConnections: Type.Optional(Nullable(count('sockets of a sub key'))),
      maxSubscriptions: Type.Optional(Nullable(count('subscriptions of a sub key'))),
    }),
  },
  examples: [
    {
      name: 'for a distributor of ten sub keys',
      body: { name: 'Desk', maxSubKeys: 10, maxTotalQuota: 100_000 },
    },
  ],
  data: InviteView,
  answer({ body }, { sandbox, registry }) {
    const { tenancy } = sandbox()
    const full = boundFlaw('invite tokens', tenancy.invites.size, INVITES_MAX)
    if (full !== null) throw new UserError(full)
    const token = body.inviteToken ?? tenancy.newInviteToken()
    if (body.inviteToken !== undefined && registry.ownsName(token))
      throw new UserError(`inviteToken "${token}" is taken already`)
    const presets = {
      name: body.name,
      level: body.level,
      maxSubKeys: body.maxSubKeys,
      maxTotalQuota: body.maxTotalQuota,
      maxConnections: body.maxConnections,
      maxSubscriptions: body.maxSubscriptions,
    }
    const given = Object.entries(presets).filter(([, value]) => value !== undefined)
    return inviteView(tenancy.addInvite(token, invitePresetsOf(Object.fromEntries(given))))
  },
})
