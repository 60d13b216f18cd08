const browsers: [RegExp, string][] = [
  [/\bEdg(?:e|A|iOS)?\//, 'Edge'],
  [/\bMicroMessenger\//, 'WeChat'],
  [/\b(?:OPR|Opera)\b/, 'Opera'],
  [/\b(?:Firefox|FxiOS)\//, 'Firefox'],
  [/(?:Chrome|CriOS|Chromium)\//, 'Chrome'],
  [/\bSafari\//, 'Safari'],
  [/^curl\//, 'curl'],
];

const systems: [RegExp, string][] = [
  [/\b(?:iPhone|iPad|iPod)\b/, 'iOS'],
  [/\bAndroid\b/, 'Android'],
  [/\bHarmonyOS\b/, 'HarmonyOS'],
  [/\bWindows\b/, 'Windows'],
  [/\bMac OS X\b/, 'macOS'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bLinux\b/, 'Linux'],
];

/** Browser and system from a User-Agent, to tell the user's devices apart: `Firefox · Windows`, or ''. */
export function describeDevice(userAgent: string): string {
  const known = (list: [RegExp, string][]) => list.find(([pattern]) => pattern.test(userAgent))?.[1];
  return (
    [known(browsers), known(systems)].filter(Boolean).join(' · ') ||
    userAgent.replace(/[^\x20-\x7e]/g, '').slice(0, 60)
  );
}
