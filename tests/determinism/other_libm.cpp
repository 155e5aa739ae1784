#include <gtest/gtest.h>

#include <unistd.h>

#include <array>
#include <bit>
#include <cmath>
#include <cstdio>
#include <string>

#include "support/run_scene.h"

/// The C library picks the code of its functions by processor: with and without fused multiply-add their last bits
/// differ. GLIBC_TUNABLES makes it assume an older processor, so that one machine can act as two.

namespace treacle::test {
namespace {

const char* const older = "GLIBC_TUNABLES=glibc.cpu.hwcaps=-AVX2,-FMA,-FMA4,-AVX2_Usable,-FMA_Usable,-FMA4_Usable";

/// Bodies that tumble through the air, turning about all axes by a quarter of a radian or more in a step: for smaller
/// angles the sines of both processors are the same. A drop falls beside them.
std::string tumbling() {
    std::string solids;
    for (int n = 0; n < 24; ++n) {
        solids += std::string(n > 0 ? ", " : "") + R"({ "name": "brick )" + std::to_string(n) +
                  R"(", "shape": { "box": { "center": [)" + std::to_string(n) +
                  R"(, 0, 0], "size": [0.2, 0.1, 0.3] } }, "motion": { "dynamic": { "density": 500,
                  "angular_velocity": [)" +
                  std::to_string(1500 + 37 * n) + ", 910, " + std::to_string(1200 - 53 * n) + "] } } }";
    }
    return R"({ "treacle": 1, "method": "clavet2005", "particle_spacing": 0.05,
      "time": { "duration": 1, "fps": 100, "fixed_dt": 0.01 }, "materials": { "honey": { "viscosity": 1 } },
      "fluids": [ { "material": "honey", "shape": { "box": { "center": [0, 5, 0], "size": [0.1, 0.1, 0.1] } } } ],
      "solids": [ )" +
           solids + "] }";
}

/// The output of a process with another C library.
std::string output_of(const std::string& environment, const std::string& test) {
    const std::string command = environment + " /proc/" + std::to_string(::getpid()) +
                                "/exe --gtest_also_run_disabled_tests --gtest_filter=" + test + " | grep '^bits'";
    std::string text;
    std::FILE* pipe = ::popen(command.c_str(), "r");
    if (!pipe) return text;
    std::array<char, 4096> buffer{};
    while (const std::size_t count = std::fread(buffer.data(), 1, buffer.size(), pipe))
        text.append(buffer.data(), count);
    ::pclose(pipe);
    return text;
}

/// Not tests: the work of the processes above.
TEST(OtherLibm, DISABLED_prints_sines) {
    std::uint64_t sum = 0;
    for (int n = 1; n < 200000; ++n) {
        const double sine = std::sin(n * 1.000123), cosine = std::cos(n * 0.9991), power = std::exp(n * 1e-4);
        for (const double value : {sine, cosine, power}) sum = sum * 31 + std::bit_cast<std::uint64_t>(value);
    }
    std::printf("bits %016llx\n", static_cast<unsigned long long>(sum));
}
TEST(OtherLibm, DISABLED_prints_hashes) {
    RunningScene run(tumbling(), 1);
    ASSERT_TRUE(run.advance(60)) << run.error();
    double turned = 0;
    for (const Body& body : run.state().bodies) turned += std::abs(body.pose.rotation.x);
    if (turned < 1) return;  // would prove nothing
    std::printf("bits %016llx\n", static_cast<unsigned long long>(state_hash(run.state())));
}

TEST(OtherLibm, bodies_that_tumble_have_the_same_bits) {
    if (output_of("", "OtherLibm.DISABLED_prints_sines") == output_of(older, "OtherLibm.DISABLED_prints_sines"))
        GTEST_SKIP() << "this machine has one C library only";
    const std::string here = output_of("", "OtherLibm.DISABLED_prints_hashes");
    EXPECT_NE(here, "");
    EXPECT_EQ(output_of(older, "OtherLibm.DISABLED_prints_hashes"), here);
}

}  // namespace
}  // namespace treacle::test
