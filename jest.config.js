const transform = (tsx) => ({
  '\\.tsx?$': [
    '@swc/jest',
    {
      jsc: {
        parser: { syntax: 'typescript', tsx },
        transform: { react: { runtime: 'automatic' } },
        target: 'es2022',
      },
    },
  ],
});

const web = (name) => ({
  displayName: name,
  rootDir: name,
  testEnvironment: 'jsdom',
  testEnvironmentOptions: { customExportConditions: ['browser', 'default'] },
  testMatch: ['<rootDir>/src/**/*.test.{ts,tsx}'],
  transform: transform(true),
  moduleNameMapper: {
    '\\.module\\.css$': '<rootDir>/../tests/class-names.cjs',
    '\\.(css|svg)$': '<rootDir>/../tests/empty.cjs',
  },
  setupFilesAfterEnv: ['<rootDir>/../tests/setup-web.ts'],
});

export default {
  // Desks and stores are started for real: a busy machine needs more than the usual 5 s.
  testTimeout: 30_000,
  projects: [
    ...['host', 'mfe-auth', 'mfe-chat', 'mfe-records'].map(web),
    {
      displayName: 'api',
      rootDir: 'api',
      testEnvironment: 'node',
      testMatch: ['<rootDir>/src/**/*.test.ts'],
      extensionsToTreatAsEsm: ['.ts'],
      transform: transform(false),
    },
    {
      displayName: 'contract',
      rootDir: 'tests',
      testEnvironment: 'node',
      testMatch: ['<rootDir>/{contract,chaos,bench}/**/*.test.ts'],
      extensionsToTreatAsEsm: ['.ts'],
      transform: transform(false),
    },
  ],
};
