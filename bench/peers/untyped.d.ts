// What we use of packages that come without types.

declare module 'wink-perceptron' {
  /** Features by name, and the class. */
  type Example = [features: Record<string, number>, { label: string }];

  interface WinkPerceptron {
    defineConfig(config: { shuffleData?: boolean; maxIterations?: number }): unknown;
    learn(examples: Example[]): number;
    predict(features: Record<string, number>): string;
  }

  export default function perceptron(): WinkPerceptron;
}

declare module 'libsvm-js' {
  interface Svm {
    train(samples: readonly (readonly number[])[], labels: readonly number[]): void;
    predict(samples: readonly (readonly number[])[]): number[];
    predictOne(sample: readonly number[]): number;
    free(): void;
  }

  interface SvmClass {
    new (options: { type: string; kernel: string; cost: number; quiet: boolean }): Svm;
    SVM_TYPES: { C_SVC: string };
    KERNEL_TYPES: { LINEAR: string };
  }

  const loading: Promise<SvmClass>;
  export default loading;
}
