/** Open questions of keys, refusals, limits and distributors, in Chinese. */
import type { AUTHENTICATION_QUESTIONS } from '../../../../contract/questions/authentication.ts'
import type { DISTRIBUTOR_QUESTIONS } from '../../../../contract/questions/distributor.ts'
import type { ERRORS_QUESTIONS } from '../../../../contract/questions/errors.ts'
import type { LIMITS_QUESTIONS } from '../../../../contract/questions/limits.ts'
import type { QuestionTexts } from './question-texts.ts'

export const ACCESS_QUESTIONS: QuestionTexts<
  typeof AUTHENTICATION_QUESTIONS &
    typeof ERRORS_QUESTIONS &
    typeof LIMITS_QUESTIONS &
    typeof DISTRIBUTOR_QUESTIONS
> = {
  'nonce-reuse': {
    question: '同一个 SignatureNonce 可以使用两次吗？',
    answers: {
      accept: '不保存 nonce。',
      reject: '在 Timestamp 有效期内重复使用的 nonce 视为签名无效。',
    },
  },
  'disabled-key': {
    question: '已停用的密钥得到什么响应？',
    answers: {
      signature: '与不存在的密钥相同：签名无效。',
      permission: 'HTTP 403，内容为 "Permission denied: KEY_DISABLED"。',
    },
  },
  'refusal-status': {
    question: '缺少参数和签名无效时，HTTP 状态码是什么？',
    answers: { http: 'HTTP 400 和 401。', ok: 'HTTP 200，返回码只在响应结构中。' },
  },
  'over-rate': {
    question: '密钥超过每分钟限频时得到什么响应？',
    answers: {
      200: 'HTTP 200，响应结构中的返回码为 "429"。',
      403: 'HTTP 403，返回码为 "403"，并带有在服务上见过的消息。',
      429: 'HTTP 429，返回码为 "429"。',
      'retry-after': '同上，并带有以秒为单位的 `Retry-After` 响应头。',
    },
  },
  'over-quota': {
    question: '密钥的月度配额用尽时得到什么响应？',
    answers: {
      200: 'HTTP 200，响应结构中的返回码为 "429"。',
      403: 'HTTP 403，返回码为 "403"，并带有在服务上见过的消息。',
      429: 'HTTP 429，返回码为 "429"。',
      'retry-after': '同上，并带有以秒为单位的 `Retry-After` 响应头。',
    },
  },
  'over-time-range': {
    question: '请求的时间范围超过等级允许的长度时会怎样？',
    answers: {
      refuse: 'HTTP 400，并说明允许的秒数。',
      cut: '悄悄缩短范围：起点更晚、行数更少或天数更少。',
    },
  },
  'default-time-range': {
    question: '接口的默认时间范围也受限制吗？',
    answers: {
      free: '否：只限制请求中给出的范围。请求给出周期行数时，按行数计算。',
      counts: '是，与明确请求相同：限额较小的密钥必须请求更短的范围。',
      cut: '无论明确请求的范围如何处理，默认范围都会被悄悄缩短。',
    },
  },
  'other-key-limits': {
    question: '不是子密钥的密钥有哪些限制？',
    answers: {
      none: '没有限制。',
      free: '每分钟 15 次请求，每月 20,000 次。',
      basic: '每分钟 30 次请求，每月 20,000 次。',
      standard: '每分钟 80 次请求，每月 500,000 次。',
      advanced: '每分钟 300 次请求，每月 1,500,000 次。',
      pro: '每分钟 1,200 次请求，每月 3,500,000 次。',
    },
  },
  'level-absent': {
    question: '对不存在的等级，GET 和 DELETE 返回什么？',
    answers: {
      400: 'HTTP 400，响应结构 C，与该组的其他拒绝相同。',
      404: 'HTTP 404，响应结构 C。',
    },
  },
  'level-delete-answer': {
    question: '删除等级的响应除 `success` 外还有哪些字段？',
    answers: {
      message: '`success` 和 `message`。',
      bare: '只有 `success`。',
      data: '`success`、`message`，以及为 null 的 `data`。',
    },
  },
  'distributor-refusal': {
    question: '拒绝分销商的请求时使用哪种响应结构？',
    answers: {
      'by-flaw': '任一层缺少字段时用 B；字段有误或请求体不是 JSON 时用 C。',
      C: '一律用 C。',
      B: '一律用 B，与其他组相同。',
    },
  },
  'sub-key-open-endpoints': {
    question: '子密钥可以调用不需要权限的接口（如 /coin）吗？',
    answers: {
      granted: '可以，只要其等级至少授予一项权限。',
      never: '不可以：等级只能授予 `perpdex` 的权限。',
    },
  },
  'sub-key-paths': {
    question: '子密钥在哪里创建和修改？',
    answers: { control: '仅在控制面。', mirrored: '也可以在 /distributor/sub-keys 下。' },
  },
}
