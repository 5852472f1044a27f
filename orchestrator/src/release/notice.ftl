Mutune
Licensed under the Apache License 2.0, see LICENSE.

It carries the libraries below, unchanged, each under the licence beside its name: where several stand
there, any of them may be chosen. A library's jar has its text, or its notice; the texts of the GNU
licences are under licenses/, the others' under https://spdx.org/licenses/. The jars of lib/ are found by
the Java class path, so that a library can be replaced by another version of itself.

<#list dependencyMap as e>
<#assign project = e.getKey()>
<#if project.groupId != "io.mutune">
${project.groupId}:${project.artifactId}:${project.version} - ${e.getValue()?join(" or ")}
</#if>
</#list>

sweeps/data/digits.csv.gz, sweeps/data/digits-test.csv.gz: Optical Recognition of Handwritten Digits by E. Alpaydin and C. Kaynak,
UCI Machine Learning Repository, CC-BY-4.0, rows in another order; see sweeps/data/README.md.
