import { type Static, Type } from '../schema.ts'

const fields = {
  access_key: Type.String(),
  name: Type.String({ description: 'for whom it was made' }),
  level: Type.String(),
  monthly_quota: Type.Integer({ description: 'requests a month' }),
  used_quota: Type.Integer({ description: 'requests of this month' }),
  status: Type.Union([Type.Literal('active'), Type.Literal('disabled')]),
  created_at: Type.Integer({ description: 'when it was made, session time, s' }),
}

/** A sub key without its secret: a form of our own, as the service shows none. */
export const SubKey = Type.Object(fields, { title: 'SubKey', additionalProperties: false })
export type SubKey = Static<typeof SubKey>

/** A sub key as it is made: the secret is shown here only. */
export const NewSubKey = Type.Object(
  { ...fields, secret_key: Type.String({ description: 'shown once' }) },
  { title: 'NewSubKey', additionalProperties: false },
)
export type NewSubKey = Static<typeof NewSubKey>

export const SubKeyPath = Type.Object(
  {
    access_key: Type.String({ description: 'access key of the sub key' }),
  },
  { title: 'SubKeyPath' },
)

export const Quota = Type.Integer({
  minimum: 0,
  maximum: 1_000_000_000,
  description: 'requests a month; that of the level by default',
})
