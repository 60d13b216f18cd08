import { Icon } from 'host/ui/icon.tsx';
import { useRef, useSyncExternalStore } from 'react';
import { useShell } from './shell.ts';
import { useNoticeHeight } from './use-notice-height.ts';
import { useTranslate } from './use-translate.ts';

const TEXTS = {
  zh: {
    remote: '{remote} 来自 {address}，仅此浏览器，至 {until}',
    composition: '正在预览没有上线的组合 {id}，仅此浏览器，至 {until}',
    named: '正在预览 {name}（没有上线），仅此浏览器，至 {until}',
    failed: '{remote} 没能从 {address} 打开，显示的是 {version}。仅此浏览器，至 {until}',
    fallenBack: '{text}。{remote} 没能打开，显示的是 {version}',
    leave: '退出预览',
  },
  en: {
    remote: '{remote} is loaded from {address}, in this browser only, until {until}',
    composition: 'Preview of {id}, which isn’t live, in this browser only, until {until}',
    named: 'Preview of {name}, which isn’t live, in this browser only, until {until}',
    failed:
      '{remote} could not be loaded from {address}, so you see {version}. In this browser only, until {until}',
    fallenBack: '{text}. {remote} could not be loaded, so you see {version}',
    leave: 'Exit preview',
  },
};

/** Shows that this page uses an override: what differs, its source and its end, with a button to leave. */
export function OverrideBanner() {
  const { composition, i18n, loader } = useShell();
  const notice = useRef<HTMLDivElement>(null);
  useNoticeHeight(notice, '--over');
  const fallenBack = useSyncExternalStore(loader.watchFallenBack, loader.fallenBack);
  const t = useTranslate(TEXTS);
  const { override, id } = composition;
  if (!override) return null;
  const until = untilText(new Date(override.expiresAt), i18n.locale());
  const text = () => {
    if (override.kind === 'remote') {
      const { remote } = override;
      const address = new URL(override.address).host;
      if (!fallenBack.includes(remote)) return t('remote', { remote, address, until });
      return t('failed', { remote, address, version: loader.versionInUse(remote), until });
    }
    return fallenBack.reduce(
      (text, remote) => t('fallenBack', { text, remote, version: loader.versionInUse(remote) }),
      override.name
        ? t('named', { name: override.name, until })
        : t('composition', { id: id.slice(0, 8), until }),
    );
  };
  return (
    <div ref={notice} className="notice override" role="status">
      <div className="banner">
        <Icon name="info" />
        <p>{text()}</p>
        <form method="post" action="/chatbot/override/leave">
          <button type="submit" className="button">
            {t('leave')}
          </button>
        </form>
      </div>
    </div>
  );
}

/** Formats a time as 15:30, with the day if it is not today. */
function untilText(end: Date, locale: string): string {
  const time = new Intl.DateTimeFormat(locale, {
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  }).format(end);
  if (end.toDateString() === new Date().toDateString()) return time;
  if (locale !== 'en') return `${end.getMonth() + 1} 月 ${end.getDate()} 日 ${time}`;
  return `${new Intl.DateTimeFormat(locale, { month: 'short', day: 'numeric' }).format(end)} ${time}`;
}
