#include "laws/elastic_response.h"

#include <gtest/gtest.h>

namespace treacle {
namespace {

TEST(ElasticResponse, follows_from_properties_in_si_units) {
    const ElasticResponse gel = ElasticResponse::of(200, 0.5, 10, 0.1);
    EXPECT_TRUE(gel.elastic);
    EXPECT_DOUBLE_EQ(gel.compliance, 1.0 / 200);
    EXPECT_DOUBLE_EQ(gel.relaxation_rate, 2);
    EXPECT_DOUBLE_EQ(gel.yield_strain, 0.05);
    EXPECT_DOUBLE_EQ(gel.mobility, 0.1);

    const ElasticResponse rubber = ElasticResponse::of(200, std::numeric_limits<double>::infinity(), 0, 0);
    EXPECT_EQ(rubber.relaxation_rate, 0);

    const ElasticResponse liquid = ElasticResponse::of(0, 0.5, 10, 0);
    EXPECT_FALSE(liquid.elastic);
    EXPECT_EQ(liquid.compliance, 0);
    EXPECT_EQ(liquid.yield_strain, 0);
}

}  // namespace
}  // namespace treacle
