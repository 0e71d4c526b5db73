import { wording } from '../../shell/words.ts'

export const say = wording({
  title: ['Drive', '驾驶'],
  about: ['Time, playback and events of the market', '时间、回放与市场事件'],
})
