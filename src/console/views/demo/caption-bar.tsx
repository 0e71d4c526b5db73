/** What is told of the step that is on, large enough for the last row. */
import { hostClock } from '../../../clock/system-clock.ts'
import { virtualTime } from '../../session/virtual-time.ts'
import { language } from '../../shell/preferences.ts'
import { currentStep, type Playing, stepProgress } from '../../story/player.ts'
import { restart, tell } from './story-player.ts'
import { say } from './words.ts'

export function CaptionBar({ playing, onStop }: { playing: Playing; onStop(): void }) {
  const { story, at, error } = playing
  const step = currentStep(playing)
  // Read so that the line grows.
  void virtualTime.value
  const progress = stepProgress(playing, hostClock.monotonicMs())
  return (
    <section class="caption-bar" aria-live="polite">
      <div class="caption-progress" style={{ transform: `scaleX(${progress})` }} />
      <div class="caption-head">
        <strong>{story.title[language.value]}</strong>
        <span class="faint">{step && say('step', { at: at + 1, all: story.steps.length })}</span>
      </div>
      <p class="caption">{step ? step.caption[language.value] : say('over')}</p>
      {error !== null && <p class="down">{error}</p>}
      <div class="caption-keys">
        <button type="button" class="primary" onClick={() => tell({ kind: 'next' })}>
          {say('next')}
        </button>
        <button type="button" onClick={() => restart()}>
          {say('restart')}
        </button>
        <button type="button" onClick={onStop}>
          {say('stop')}
        </button>
        <span class="faint minor">{say('hint')}</span>
      </div>
    </section>
  )
}
