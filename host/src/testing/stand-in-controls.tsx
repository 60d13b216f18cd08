import type { HostServices } from '../contract.ts';

/** The host's controls as far as a standalone remote needs them: language and theme. */
export function StandInControls({ services }: { services: HostServices }) {
  const { i18n, theme } = services;
  const isChinese = i18n.language$.value === 'zh';
  return (
    <div className="cluster">
      <button
        className="icon-button"
        type="button"
        lang={isChinese ? 'en' : 'zh-CN'}
        aria-label={isChinese ? 'EN: switch to English' : '中：切换到中文'}
        onClick={() => i18n.language$.next(isChinese ? 'en' : 'zh')}
      >
        {isChinese ? 'EN' : '中'}
      </button>
      <button
        className="icon-button"
        type="button"
        aria-label={isChinese ? '切换深色' : 'Switch dark and light'}
        onClick={() => theme.choose(theme.choice$.value === 'dark' ? 'light' : 'dark')}
      >
        <svg className="icon" aria-hidden="true">
          <use href="#i-theme" />
        </svg>
      </button>
    </div>
  );
}
