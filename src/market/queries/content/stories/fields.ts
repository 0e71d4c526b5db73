/** What companies work on, and where rules are made. */
import type { BilingualText } from '../bilingual-text.ts'

export const FIELDS: readonly BilingualText[] = [
  { cn: '链上数据分析', en: 'on-chain analytics' },
  { cn: '跨链桥安全', en: 'bridge security' },
  { cn: '稳定币支付', en: 'stablecoin payments' },
  { cn: '机构托管', en: 'institutional custody' },
  { cn: '零知识证明', en: 'zero-knowledge proofs' },
  { cn: '去中心化存储', en: 'decentralised storage' },
  { cn: '代币化债券', en: 'tokenised bonds' },
  { cn: '链上身份', en: 'on-chain identity' },
  { cn: '再质押', en: 'restaking' },
  { cn: '预言机', en: 'price oracles' },
  { cn: '账户抽象', en: 'account abstraction' },
  { cn: '永续合约', en: 'perpetual contracts' },
]

/** What authorities make rules about. */
export const TOPICS: readonly BilingualText[] = [
  { cn: '稳定币储备', en: 'stablecoin reserves' },
  { cn: '客户资产隔离', en: 'the segregation of client assets' },
  { cn: '杠杆上限', en: 'leverage limits' },
  { cn: '质押服务', en: 'staking services' },
  { cn: '加密资产广告', en: 'advertising of crypto assets' },
  { cn: '交易所资本要求', en: 'capital requirements for exchanges' },
  { cn: '代币化证券', en: 'tokenised securities' },
  { cn: '反洗钱核查', en: 'money-laundering checks' },
]
