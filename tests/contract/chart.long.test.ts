import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { expect, test } from '@jest/globals';
import { allVariables } from '../../api/src/config/config.ts';

const chart = path.join(import.meta.dirname, '../../deploy/chart');
const values = path.join(chart, 'ci/all-values.yaml');

/** A program of PATH, or of the folder where `go install` puts it; undefined if there is none. */
function find(name: string, ...args: string[]): string | undefined {
  const installed = path.join(
    process.env.GOBIN || path.join(process.env.GOPATH || path.join(os.homedir(), 'go'), 'bin'),
    name,
  );
  return [name, installed].find((program) => {
    try {
      execFileSync(program, args, { stdio: 'ignore' });
      return true;
    } catch {
      return false;
    }
  });
}

const helm = find('helm', 'version');
const validate = find('kubectl-validate', '--help');
const ifHelm = helm ? test : test.skip;
if (!helm) console.error('The chart is not tested without helm: go install helm.sh/helm/v3/cmd/helm@v3.22.0');
else if (!validate)
  console.error(
    'Schemas are not tested without kubectl-validate: go install sigs.k8s.io/kubectl-validate@latest',
  );

const render = (...args: string[]) =>
  execFileSync(helm!, ['template', 'desk', chart, '--kube-version', '1.31.0', ...args], {
    encoding: 'utf8',
    stdio: 'pipe',
  });

ifHelm('the chart passes the linter, and renders every kind of object', () => {
  execFileSync(helm!, ['lint', '--strict', chart, '-f', values], { stdio: 'pipe' });
  const kinds = [...render('-f', values).matchAll(/^kind: (\w+)$/gm)].map(([, kind]) => kind);
  expect(new Set(kinds)).toEqual(
    new Set([
      'Deployment',
      'Service',
      'Ingress',
      'PodDisruptionBudget',
      'HorizontalPodAutoscaler',
      'ServiceMonitor',
      'Pod',
    ]),
  );
});

ifHelm('its variables are those of the configuration', () => {
  const known = new Set(allVariables.map(({ name }) => name));
  const deployment = render('-f', values, '--show-only', 'templates/deployment.yaml');
  const names = [...deployment.matchAll(/name: ([A-Z][A-Z_]+), value/g)].map(([, name]) => name!);
  expect(names.length).toBeGreaterThan(5);
  expect(names.filter((name) => !known.has(name.replace(/_FILE$/, '')))).toEqual([]);
});

ifHelm('values without a database, and misspelt ones, are refused', () => {
  expect(() => render()).toThrow('existingSecret');
  expect(() => render('-f', values, '--set', 'replica=3')).toThrow('replica');
});

(helm && validate ? test : test.skip)('what it renders fits the schemas of Kubernetes', () => {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'desk-chart-'));
  try {
    // ServiceMonitor is a kind of the Prometheus Operator, which Kubernetes does not know.
    writeFileSync(
      path.join(folder, 'rendered.yaml'),
      render('-f', values, '--set', 'metrics.serviceMonitor.enabled=false'),
    );
    execFileSync(validate!, [folder, '--version', '1.30'], { stdio: 'pipe' });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
