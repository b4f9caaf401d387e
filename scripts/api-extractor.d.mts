export declare const rollUpTypes: (folder: string, entryPoint: string) => string;
export declare function reportApis(packages: readonly { folder: string; entryPoint: string }[]): string[];
