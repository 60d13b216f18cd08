import { Button } from 'host/ui/button.tsx';
import { deskAddress } from 'host/ui/desk-address.ts';
import { CLOCK, DAY, formatDate } from 'host/ui/format-date.ts';
import { Icon } from 'host/ui/icon.tsx';
import { useStream } from 'host/ui/use-stream.ts';
import { useTranslate } from 'host/ui/use-translate.ts';
import { laterTexts } from './frame-texts.ts';
import { Notice } from './notice.tsx';
import { useShell } from './shell.ts';

/** Shows that this page uses an override: what differs, its source and its end, with a button to leave. */
export function OverrideBanner() {
  const { composition, i18n, loader } = useShell();
  const fallenBack = useStream(loader.fallenBack$);
  const t = useTranslate(useShell().i18n, laterTexts);
  const { override, id } = composition;
  if (!override) return null;
  const until = untilText(new Date(override.expiresAt), i18n.locale());
  const text = () => {
    if (override.kind === 'remote') {
      const { remote } = override;
      const address = new URL(override.address).host;
      if (!fallenBack.includes(remote)) return t('override.remote', { remote, address, until });
      return t('override.failed', { remote, address, version: loader.versionInUse(remote), until });
    }
    return fallenBack.reduce(
      (text, remote) => t('override.fallenBack', { text, remote, version: loader.versionInUse(remote) }),
      override.name
        ? t('override.named', { name: override.name, until })
        : t('override.composition', { id: id.slice(0, 8), until }),
    );
  };
  return (
    <Notice property="--over" className="notice override">
      <div className="banner">
        <Icon name="info" />
        <p>{text()}</p>
        <form method="post" action={deskAddress('/chatbot/override/leave')}>
          <Button type="submit" label={t('override.leave')} />
        </form>
      </div>
    </Notice>
  );
}

/** Formats a time as 15:30, with the day if it is not today. */
function untilText(end: Date, locale: string): string {
  const time = formatDate(end, locale, CLOCK);
  if (end.toDateString() === new Date().toDateString()) return time;
  return `${formatDate(end, locale, DAY)} ${time}`;
}
